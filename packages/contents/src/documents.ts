// Entry of `@assay/contents/documents`: documents that people write, for programs that read no rows.
export { parseStructured } from "./documents/parse-structured.ts"
export { parseYaml, type ParsedYaml } from "./documents/parse-yaml.ts"
