export { toneOf } from "@assay/reports/terminal"
