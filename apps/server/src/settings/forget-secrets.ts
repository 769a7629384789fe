import { SettingsSchema } from "./settings-schema.ts"

/**
 * Takes the secret settings out of an environment once they are read, so that no process that is started later inherits them.
 * The system goes on showing the environment that this process was started with, to its user: a file keeps secrets from that.
 */
export function forgetSecrets(env: object): void {
  for (const [name, schema] of Object.entries(SettingsSchema.properties)) {
    if ((schema as { secret?: boolean }).secret === true) Reflect.deleteProperty(env, name)
  }
}
