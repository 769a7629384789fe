export { REQUIREMENTS, type Requirement, type RequirementStatus } from "./requirements/index.ts"
export {
  startLoopbackServer,
  type LoopbackHandler,
  type LoopbackServer,
  type RecordedRequest,
} from "./loopback-server.ts"
export { createDatabase } from "./postgres/create-database.ts"
export { startPostgres, type PostgresOptions, type PostgresServer } from "./postgres/start-postgres.ts"
