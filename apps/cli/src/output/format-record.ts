export { formatRecord } from "@assay/reports/terminal"
