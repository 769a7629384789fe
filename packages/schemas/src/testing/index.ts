export { filesetArbitrary } from "./fileset-arbitrary.ts"
export { filterArbitrary, type FilterArbitraryOptions } from "./filter-arbitrary.ts"
export { matchesFilter } from "./matches-filter.ts"
