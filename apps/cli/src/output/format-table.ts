export { formatTable, type Column, type Layout } from "@assay/reports/terminal"
