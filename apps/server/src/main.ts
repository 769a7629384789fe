import { enableCompileCache } from "node:module"

// Enabled before any other module is loaded, so that all of them are compiled only once and not on every start.
enableCompileCache()
const { startServer } = await import("./start-server.ts")
await startServer()
