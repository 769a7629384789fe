import { testSettings } from "@assay/tsconfig/vitest"
import { defineConfig } from "vitest/config"

export default defineConfig({
  test: { ...testSettings({ timeout: 60_000, maxWorkers: 1 }), globalSetup: "src/testing/console-setup.ts" },
})
