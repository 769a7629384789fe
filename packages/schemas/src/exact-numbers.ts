// Entry of `@assay/schemas/numbers`: JSON whose numbers keep their text, for programs that must start fast.
export { parseJsonExactly } from "./numbers/parse-json-exactly.ts"
