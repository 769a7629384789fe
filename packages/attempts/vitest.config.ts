import { testSettings } from "@assay/tsconfig/vitest"
import { defineConfig } from "vitest/config"

export default defineConfig({ test: testSettings() })
