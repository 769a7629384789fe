export { formatCount } from "@assay/reports/terminal"
