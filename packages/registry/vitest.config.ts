import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    globalSetup: [
      fileURLToPath(import.meta.resolve("@assay/testkit/postgres-setup")),
      fileURLToPath(new URL("src/testing/sqlite-setup.ts", import.meta.url)),
    ],
  },
})
