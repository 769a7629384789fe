import { enableCompileCache, flushCompileCache } from "node:module"
import process from "node:process"

// Threads that wait for the disk. Node's four are too few for eight clients that write at the same time, each of which waits for a folder
// and for the database's log. Set before the first of them starts.
process.env["UV_THREADPOOL_SIZE"] ??= "16"
// Enabled before any other module is loaded, so that all of them are compiled only once and not on every start.
enableCompileCache()
const { startServer } = await import("./start-server.ts")
await startServer()
// Now, because a process that is killed writes nothing when it ends.
flushCompileCache()
