/** What a resource file needs to declare its operations. */
export { words } from '../text/text';
export type { Schema, Shape } from '../fields/shape';
export { perPage } from '../pages/pages';
export { createdWithin, guessedFilter, hasValue, hasWords, ownFilter } from './filters';
export { operation } from './kinds';
export type { PreflightDefinition, FallbackBody, Reaches } from './operation';
export { matchFirst, showsFields } from './recovery';
export { resource } from './resource';
export { fromResponse, fromRequest, read } from './secondaryRead';
