/** What a resource file needs to declare its operations. */
export type { Schema, Shape } from '../fields/shape';
export { perPage } from '../http/pages';
export { guessedFilter, hasValue, hasWords, ownFilter } from './filters';
export { operation } from './kinds';
export type { ConsultDefinition, Reaches } from './operation';
export { searchFirst, searchList, searchParent, type SearchList } from './recovery';
export { resource, unpublished } from './resource';
export { fromAnswer, fromRequest, read } from './secondaryRead';
