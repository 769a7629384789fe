export { formatRowFault, formatRowPlace, type RowFault, type RowPlace } from "./rows/row-fault.ts"
export { formatRowProfile } from "./rows/row-profile.ts"
export { formatRowReport } from "./rows/row-report.ts"
export { formatRowsProgress, type RowsProgress } from "./rows/rows-progress.ts"
