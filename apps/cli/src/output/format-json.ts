export { formatJson, formatJsonLine } from "@assay/reports/terminal"
