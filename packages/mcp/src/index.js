export { createProtocolHandler } from "./serving/serve-http.ts";
export { serveOverStdio } from "./serving/serve-stdio.ts";
export { TOOLS } from "./tools/all-tools.ts";
