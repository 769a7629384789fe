import type { LoadedSettings } from "./load-settings.ts"
import { SettingsSchema, type SettingName } from "./settings-schema.ts"

export interface DescribedSetting {
  readonly name: SettingName
  /** The current value; `******` for a secret that is set, null if absent. */
  readonly value: unknown
  /** `default`, or the source of the value. */
  readonly from: string
  readonly description: string
}

/** Returns every setting with its current value and its source. Secrets are masked. */
export function describeSettings({ settings, origins }: LoadedSettings): readonly DescribedSetting[] {
  return (Object.keys(SettingsSchema.properties) as SettingName[]).map((name) => {
    const { description = "", secret } = SettingsSchema.properties[name] as { description?: string; secret?: boolean }
    const value: unknown = settings[name]
    const shown = value === undefined ? null : secret === true && origins.has(name) ? "******" : value
    return { name, value: shown, from: origins.get(name) ?? "default", description }
  })
}
