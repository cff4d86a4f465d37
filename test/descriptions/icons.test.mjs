/** On a canvas the color of an icon says what a node is about: one color per family, told apart without colors too. */
import assert from '../asserted.mjs';
import { describe, test } from 'node:test';
import { nodes } from './nodes.mjs';
import { contentOf } from '../../tools/files.mjs';

const families = {
	'who is reached': ['AcpCalls', 'AcpMessages', 'AcpOutreach'],
	'people and their data': ['AcpContacts', 'AcpMedia', 'AcpScheduling'],
	'agents and what they know': [
		...['AcpAgents', 'AcpBuilders', 'AcpFlows', 'AcpIntentTrigger', 'AcpKnowledge', 'AcpTables'],
	],
	results: ['AcpConversations', 'AcpInsights', 'AcpQuality', 'AcpTrigger'],
};
/** What is behind a tile on n8n's canvas. */
const canvas = { light: '#ffffff', dark: '#414244' };

const icons = new Map(nodes().map(({ className, description }) => [className, description.icon]));
const read = (className, theme) => {
	const file = icons.get(className)[theme].replace('file:', '');
	return contentOf('dist', 'nodes', className, file);
};
/** The tile's color, the glyph's, and the drawing without both. */
function parts(svg) {
	const [tile] = svg.match(/(?<=rx="14" fill=")#[0-9a-f]{6}/);
	const [glyph] = svg.match(/(?<=<g fill=")#[0-9a-f]{6}/);
	return { tile, glyph, drawing: svg.replaceAll(tile, 'tile').replaceAll(glyph, 'glyph') };
}

function luminance(color) {
	const [red, green, blue] = [1, 3, 5]
		.map((at) => parseInt(color.slice(at, at + 2), 16) / 255)
		.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
const lightness = (color) => 116 * Math.cbrt(luminance(color)) - 16;
function contrast(one, other) {
	const [less, more] = [luminance(one), luminance(other)].sort((a, b) => a - b);
	return (more + 0.05) / (less + 0.05);
}

test('every node belongs to one family', () => {
	assert.deepEqual(Object.values(families).flat().sort(), [...icons.keys()].sort());
});

for (const theme of ['light', 'dark']) {
	describe(theme, () => {
		const colors = Object.entries(families).map(([family, members]) => ({
			family,
			found: members.map((member) => parts(read(member, theme))),
		}));

		test('a family has one color, under a glyph that can be read', () => {
			assert.equal(colors.length, 4);
			for (const { family, found } of colors) {
				assert.equal(new Set(found.map(({ tile }) => tile)).size, 1, family);
				for (const { tile, glyph } of found) assert.ok(contrast(tile, glyph) >= 3, family);
			}
		});

		test('families differ in lightness, and from the canvas', () => {
			const all = colors.map(({ found }) => lightness(found[0].tile)).sort((a, b) => a - b);
			const steps = all.slice(1).map((one, at) => one - all[at]);
			assert.equal(steps.length, 3);
			assert.ok(Math.min(...steps) >= 10, all.map(Math.round).join(', '));
			for (const { family, found } of colors)
				assert.ok(contrast(found[0].tile, canvas[theme]) >= 1.75, family);
		});
	});
}

test('both icons of a node are one square drawing, and no two nodes share it', () => {
	const drawings = [...icons.keys()].map((className) => {
		const [light, dark] = ['light', 'dark'].map((theme) => parts(read(className, theme)).drawing);
		assert.equal(dark, light, className);
		assert.match(light, /^<svg xmlns="[^"]+" viewBox="0 0 60 60">/, className);
		assert.doesNotMatch(light, /<image|data:|href/, className);
		return light;
	});
	assert.equal(new Set(drawings).size, 16);
});
