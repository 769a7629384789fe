/** Starts PostgreSQL for the tests of this package and of the registry. A file of its own, because a name in the settings of Vitest is resolved to a build. */
export { setup } from "@assay/testkit/postgres-setup"
