import type { LoadedSettings } from "./load-settings.ts"
import { SettingsSchema, type SettingName } from "./settings-schema.ts"

export interface DescribedSetting {
  readonly name: SettingName
  /** The value in force; `******` for a secret that is set, null for one that is absent. */
  readonly value: unknown
  /** `default`, or where the value was found. */
  readonly from: string
  readonly description: string
}

/** Every setting with its value in force and where it comes from, secrets masked. */
export function describeSettings({ settings, origins }: LoadedSettings): readonly DescribedSetting[] {
  return (Object.keys(SettingsSchema.properties) as SettingName[]).map((name) => {
    const { description = "", secret } = SettingsSchema.properties[name] as { description?: string; secret?: boolean }
    const value: unknown = settings[name]
    const shown = value === undefined ? null : secret === true && origins.has(name) ? "******" : value
    return { name, value: shown, from: origins.get(name) ?? "default", description }
  })
}
