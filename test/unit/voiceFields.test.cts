/** The tuning fields of a voice, in every spelling that the platform may use, and what fits them. */
import { fitVoice } from '../../nodes/AcpAgents/agentVoice';
import { voiceFields } from '../../nodes/engine/lookups/voiceFields';

const one = (field: object) => voiceFields({ fields: [{ key: 'speed', ...field }] })[0]!;

test.each([
	['min and max', { min: 1, max: 2 }, 1, 2],
	['minimum and maximum', { minimum: 1, maximum: 2 }, 1, 2],
	['bounds', { bounds: { min: 1, max: 2 } }, 1, 2],
	['bounds, written out', { bounds: { minimum: 1, maximum: 2 } }, 1, 2],
	['a range', { range: { min: 1, max: 2 } }, 1, 2],
	['a range, written out', { range: { minimum: 1, maximum: 2 } }, 1, 2],
	['texts', { min: '1', max: ' 2 ' }, 1, 2],
	['zero', { min: 0, minimum: 5, max: 0, maximum: 5 }, 0, 0],
	['no numbers', { min: 'low', max: '' }, undefined, undefined],
	['no object', { bounds: 'wide', range: 7 }, undefined, undefined],
])('bounds as %s: %j is from %p to %p', (_, field, min, max) => {
	expect(one(field)).toMatchObject({ key: 'speed' });
	expect(one(field).min).toBe(min);
	expect(one(field).max).toBe(max);
});

test.each([
	['options', { options: ['a', 'b'] }, ['a', 'b']],
	['values', { values: [1, 2] }, [1, 2]],
	['enum', { enum: [true, false] }, [true, false]],
	['objects', { options: [{ value: 'a', label: 'A' }, { label: 'nothing' }] }, ['a']],
	['none', { options: [] }, undefined],
	['no list', { options: 'a' }, undefined],
])('choices as %s: %j has %j', (_, field, values) => {
	expect(one(field).values).toEqual(values);
});

test.each([
	['a switch by its value', { value: false }, 'boolean', 'Speed (now false)'],
	['a switch by its type', { type: 'boolean' }, 'boolean', 'Speed (true or false)'],
	['text', { value: 'warm' }, 'string', 'Speed (text, now warm)'],
	['a number as text', { value: '5', max: 9 }, 'number', 'Speed (up to 9, now 5)'],
	['a number as text, bounded below', { value: '5', min: 1 }, 'number', 'Speed (1 or more, now 5)'],
	['a number', { value: 0 }, 'number', 'Speed (number, now 0)'],
	['a lower bound', { min: 2 }, 'number', 'Speed (2 or more)'],
	['both bounds', { min: 2, max: 3, value: null }, 'number', 'Speed (2 to 3)'],
	['choices', { options: ['a', 'b'], value: 'a' }, 'string', 'Speed (one of a, b, now a)'],
])('kind and label of %s: %j is a %s, "%s"', (_, field, type, label) => {
	expect(one(field)).toMatchObject({ type, label });
});

test('what is no field is left out', () => {
	expect(() => voiceFields(undefined)).toThrow();
	expect(() => voiceFields({ fields: 'none' })).toThrow();
	const fields = [null, 'speed', { key: '' }, { key: 7 }, {}, { key: 'warm' }];
	expect(voiceFields({ fields }).map(({ key }) => key)).toEqual(['warm']);
});

const all = 'speed, warm, model, style';
const voice = {
	fields: [
		{ key: 'speed', min: 1, max: 2, value: 1 },
		{ key: 'warm', type: 'boolean' },
		{ key: 'model', options: ['a', 2] },
		{ key: 'style', value: 'calm' },
	],
};

test.each([
	['a number at its lower bound', { speed: 1 }, undefined],
	['a number at its upper bound', { speed: '2' }, undefined],
	['below', { speed: 0.9 }, "'Speed' is 0.9; this voice takes 1 or more"],
	['above', { speed: 2.1 }, "'Speed' is 2.1; this voice takes 2 or less"],
	['no number', { speed: 'fast' }, `'Speed' should be a number, but it is "fast"`],
	['a switch as text', { warm: 'true' }, undefined],
	['no switch', { warm: 'on' }, `'Warm' should be true or false, but it is "on"`],
	['a choice as text', { model: '2' }, undefined],
	['no choice', { model: 'c' }, `'Model' is "c"; this voice takes: a, 2`],
	['any text', { style: 'wild' }, undefined],
	['no field', { pitch: 1 }, `The voice of this agent has no field "pitch". It has: ${all}`],
	['the second of two', { style: 'x', speed: 9 }, "'Speed' is 9; this voice takes 2 or less"],
])('a change, %s: %j has the complaint %p', (_, changes, complaint) => {
	let said: string | undefined;
	try {
		fitVoice(voice, changes);
	} catch (thrown) {
		said = (thrown as Error).message;
	}
	expect(said).toBe(complaint);
});
