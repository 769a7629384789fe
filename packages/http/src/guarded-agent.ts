export { createGuardedAgent, type GuardedAgentOptions } from "./hosts/guarded-agent.ts"
