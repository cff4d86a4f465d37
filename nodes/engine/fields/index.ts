export { title } from '../text/text';
export {
	converted,
	InvalidItems,
	InvalidValue,
	leaf,
	spread,
	type Field,
	type FieldOptions,
	type Source,
} from './field';
export * from './scalar';
export { phone } from './phone';
export { recipient } from './recipient';
export { date, instant, timeOfDay, timeWindow, zone } from './time';
export { json } from './json';
export { collection, list, titled } from './structure';
export { agent, eitherId, locator, reference } from './locator';
export { map } from './map';
export { mapper } from './mapper';
export { binary, BinaryReference } from './binary';
