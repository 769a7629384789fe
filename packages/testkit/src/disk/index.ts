export { failCalls, type FailingCall } from "./fail-calls.ts"
export { watchSyncs, type SyncWatch } from "./watch-syncs.ts"
