export { createProtocolHandler, type ProtocolHandler } from "./serving/serve-http.ts"
export { serveOverStdio } from "./serving/serve-stdio.ts"
export { TOOLS } from "./tools/all-tools.ts"
export type { Tool } from "./tool.ts"
