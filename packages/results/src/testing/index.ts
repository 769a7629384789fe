export { formatRequests } from "../files/format-logs.ts"
export { createTextSink } from "./sample-results.ts"
export { rowOf } from "./tiny-result.ts"
