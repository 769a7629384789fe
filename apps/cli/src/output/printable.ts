export { printable, printableJson, printableText } from "@assay/schemas/printable"
