export { formatDuration } from "@assay/reports/terminal"
