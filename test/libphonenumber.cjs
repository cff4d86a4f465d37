/** The library as the build puts it into dist; its CommonJS form has no `Metadata`. */
const library = require('libphonenumber-js/max');
const { Metadata } = require('libphonenumber-js/core');
const metadata = require('libphonenumber-js/max/metadata');

module.exports = {
	...library,
	Metadata: class extends Metadata {
		constructor() {
			super(metadata);
		}
	},
};
