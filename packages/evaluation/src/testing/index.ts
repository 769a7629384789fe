export { type FolderDatastore, openFolderDatastore } from "./folder-datastore.ts"
export { type JobRegistry, openJobRegistry } from "./open-job-registry.ts"
export { planOf, planOfRows, scorePlan } from "./plan-of.ts"
export { testEnvironment } from "./test-environment.ts"
