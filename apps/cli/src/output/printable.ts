export { printable, printableJson } from "@assay/schemas/printable"
