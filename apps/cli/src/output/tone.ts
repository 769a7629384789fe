export { paint, tone, toneOf, type Tone } from "@assay/reports/terminal"
