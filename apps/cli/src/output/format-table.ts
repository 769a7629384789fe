export { formatTable, type Layout } from "@assay/reports/terminal"
