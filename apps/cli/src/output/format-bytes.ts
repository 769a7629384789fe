export { formatBytes } from "@assay/reports/terminal"
