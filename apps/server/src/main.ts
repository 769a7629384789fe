import { enableCompileCache, flushCompileCache } from "node:module"

// Enabled before any other module is loaded, so that all of them are compiled only once and not on every start.
enableCompileCache()
const { startServer } = await import("./start-server.ts")
await startServer()
// Now, because a process that is killed writes nothing when it ends.
flushCompileCache()
