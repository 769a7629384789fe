// Entry of `@assay/schemas/documents`: documents that people write. It loads the parser of YAML.
export { parseStructured } from "./documents/parse-structured.ts"
export { parseYaml } from "./documents/parse-yaml.ts"
export type { PlacedDocument } from "./documents/placed-document.ts"
