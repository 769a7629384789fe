export type { CatalogFault, CatalogFaults, PlannedCatalogFault } from "./catalog/catalog-faults.ts"
export type { CatalogRequest } from "./catalog/catalog-routes.ts"
export type {
  FakeCatalogAsset,
  FakeCatalogKey,
  FakeCatalogOptions,
  FakeCatalogVersion,
} from "./catalog/fake-catalog-options.ts"
export { startFakeCatalog, type FakeCatalog } from "./catalog/start-fake-catalog.ts"
export { REQUIREMENTS, type Requirement } from "./requirements/index.ts"
export {
  startLoopbackServer,
  type LoopbackHandler,
  type LoopbackServer,
  type RecordedRequest,
} from "./loopback-server.ts"
export {
  type FakeFile,
  type FakeFiles,
  type FakeHubOptions,
  type FakeRepository,
  type RepositoryType,
} from "./hub/fake-hub-options.ts"
export { type HubFault, type HubFaults, type PlannedHubFault } from "./hub/faults.ts"
export { type HubOperation, type HubRequest } from "./hub/hub-request.ts"
export { startFakeHub, type FakeHub } from "./hub/start-fake-hub.ts"
export { xetBodies } from "./hub/xet-bodies.ts"
export { type StoredRepository } from "./hub/stored-repository.ts"
export {
  createTestCertificates,
  type ServerCertificate,
  type TestCertificates,
} from "./inference/certificates/create-test-certificates.ts"
export { type InferenceCondition } from "./inference/condition-words.ts"
export {
  type FakeChatBody,
  type FakeChatFault,
  type FakeChatMessage,
  type FakeChatReply,
  type FakeModel,
} from "./inference/fake-model.ts"
export { type FakeLanguage, type FakeTextBody } from "./inference/fake-language.ts"
export { type InferenceFault, type InferenceFaults, type PlannedInferenceFault } from "./inference/inference-faults.ts"
export { type InferenceRequest } from "./inference/inference-request.ts"
export { createFakeLanguages } from "./inference/models/create-fake-languages.ts"
export { createFakeModels } from "./inference/models/create-fake-models.ts"
export { readScript } from "./inference/models/scripted-model.ts"
export { PERSONALITIES, type Personality } from "./inference/condition-words.ts"
export { startFakeInference, type FakeInference, type FakeInferenceOptions } from "./inference/start-fake-inference.ts"
export {
  type FakeKubernetes,
  type FakeKubernetesOptions,
  type KubernetesFault,
  startFakeKubernetes,
} from "./kubernetes/start-fake-kubernetes.ts"
export { type FakeBucket, type FakeObjstoreOptions } from "./objstore/fake-objstore-options.ts"
export { type FakeObjstore, type OpenUpload, type WriteOptions } from "./objstore/start-fake-objstore.ts"
export { type ObjstoreFault, type ObjstoreFaults, type PlannedObjstoreFault } from "./objstore/faults.ts"
export { generateBytes, type GeneratedBytes } from "./objstore/object-content.ts"
export { type ObjstoreRequest } from "./objstore/request-log.ts"
export { startFakeObjstore } from "./objstore/start-fake-objstore.ts"
export { findPgBouncer, startPgBouncer, type PgBouncer, type PgBouncerOptions } from "./postgres/start-pgbouncer.ts"
export { createDatabase } from "./postgres/create-database.ts"
export { advanceDatabaseClock, installDatabaseClock } from "./postgres/create-database.ts"
export { queryDatabase } from "./postgres/create-database.ts"
export { startPostgres, type PostgresOptions, type PostgresServer } from "./postgres/start-postgres.ts"
export { freePorts } from "./programs/free-ports.ts"
export { runBounded } from "./run-bounded.ts"
export { findSlurm, type FoundSlurm } from "./slurm/find-slurm.ts"
export { type SlurmCluster, type SlurmOptions, startSlurm } from "./slurm/start-slurm.ts"
export { findSwift, type FoundSwift } from "./swift/find-swift.ts"
export { startSwift, type SwiftOptions, type SwiftServer } from "./swift/start-swift.ts"
export {
  startFakeCollector,
  type CollectedPoint,
  type CollectedSpan,
  type FakeCollector,
} from "./telemetry/start-fake-collector.ts"
export { type Assistant, type AssistantTools, openAssistant, type ToolAnswer } from "./assistant/open-assistant.ts"
export { BROWSER_FLAGS } from "./browser/browser-flags.ts"
export { findAccessibilityFaults } from "./browser/find-accessibility-faults.ts"
export { findChromium, type FoundChromium } from "./browser/find-chromium.ts"
export { openPage, type OpenPage, type PageOptions } from "./browser/open-page.ts"
export { failCalls, type FailingCall } from "./disk/fail-calls.ts"
export { type SyncWatch, watchSyncs } from "./disk/watch-syncs.ts"
export { verifies } from "./requirements/verifies.ts"
