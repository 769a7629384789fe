import {
  AssayError,
  checkSameName,
  formatFilter,
  formatTimestamp,
  matchesRecord,
  maskUrlUsers,
  secretsOfModels,
  type CreateGuardrailConfiguration,
  type GuardrailConfiguration,
  type GuardrailConfigurationPage,
  type GuardrailData,
  type UpdateGuardrailConfiguration,
} from "@assay/schemas"
import type {
  GuardrailQuery,
  GuardrailSecrets,
  GuardrailStore,
  SecretRights,
  StoredGuardrail,
} from "./guardrail-store.ts"

/** The workspace of the built-in configurations. */
const BUILT_IN_WORKSPACE = "system"

/** Guardrail configurations: the built-in ones first, then those in the database. */
export interface GuardrailConfigurations {
  /**
   * Stores a configuration, and returns it with warnings about parts that have no effect.
   * @throws `invalid_request`, `already_exists`, `host_not_allowed`; `secret_not_readable` for a secret of another workspace
   */
  create(workspace: string, body: CreateGuardrailConfiguration, rights: SecretRights): Promise<GuardrailConfiguration>
  list(workspace: string, query: GuardrailQuery): Promise<GuardrailConfigurationPage>
  get(workspace: string, name: string): Promise<GuardrailConfiguration>
  isBuiltIn(workspace: string, name: string): Promise<boolean>
  /** @throws like `create`; `in_use` for a built-in configuration */
  update(address: Address, body: UpdateGuardrailConfiguration, rights: SecretRights): Promise<GuardrailConfiguration>
  /** @throws `in_use` for a built-in configuration */
  remove(workspace: string, name: string): Promise<GuardrailConfiguration>
}

/** The field of each configuration that filters can name and no record has. */
const ENTITY = { entity_type: "guardrail_config" }

type Warned = Pick<GuardrailConfiguration, "warnings">

interface Address {
  readonly workspace: string
  readonly name: string
}

export interface ConfigurationsContext {
  readonly store: GuardrailStore
  readonly secrets: Pick<GuardrailSecrets, "checkRights">
  /** @throws `host_not_allowed` if the endpoints of models may not have this URL */
  readonly checkEndpoint: (url: string) => void
}

export function createGuardrailConfigurations(context: ConfigurationsContext): GuardrailConfigurations {
  const { store, secrets, checkEndpoint } = context
  let builtIn: Promise<readonly GuardrailConfiguration[]> | undefined

  async function builtInOf(workspace: string): Promise<readonly GuardrailConfiguration[]> {
    if (workspace !== BUILT_IN_WORKSPACE) return []
    builtIn ??= loadBuiltIn()
    return builtIn
  }

  const findBuiltIn = async (workspace: string, name: string) =>
    (await builtInOf(workspace)).find((configuration) => configuration.name === name)

  async function checkChangeable(workspace: string, name: string): Promise<void> {
    if ((await findBuiltIn(workspace, name)) === undefined) return
    const message = `Guardrail configuration '${workspace}/${name}' is built in and can't be changed or deleted; create your own from its data`
    throw new AssayError("in_use", message)
  }

  /** Checks a configuration, and returns the warnings about it if it can be used. */
  async function check(data: GuardrailData, workspace: string, rights: SecretRights): Promise<Warned> {
    const { checkGuardrailData } = await import("../configuration/check-guardrail-data.ts")
    const { effectiveData } = await import("../configuration/effective-data.ts")
    const warnings = checkGuardrailData(data)
    const { models } = effectiveData(data)
    for (const { url } of models) if (url !== undefined) checkEndpoint(url)
    secrets.checkRights(secretsOfModels(models, workspace), workspace, rights)
    return warnings.length === 0 ? {} : { warnings: [...warnings] }
  }

  return {
    async create(workspace, body, rights) {
      if ((await findBuiltIn(workspace, body.name)) !== undefined) {
        throw new AssayError("already_exists", `Guardrail configuration '${workspace}/${body.name}' already exists`)
      }
      // Without data it has no rails, and lets everything pass.
      const data = body.data ?? {}
      const warned = await check(data, workspace, rights)
      return { ...configurationOf(await store.create(workspace, { ...body, data })), ...warned }
    },

    async list(workspace, query) {
      const { filter } = query
      const all = await builtInOf(workspace)
      const leading = filter === undefined ? all : all.filter((one) => matchesRecord({ ...one, ...ENTITY }, filter))
      const { data, pagination } = await store.list(workspace, { ...query, leading: leading.length })
      const first = (query.page - 1) * query.page_size
      const found = [...leading.slice(first, first + query.page_size), ...data.map(configurationOf)]
      return { data: found, pagination, ...(filter === undefined ? {} : { filter: formatFilter(filter) }) }
    },

    isBuiltIn: async (workspace, name) => (await findBuiltIn(workspace, name)) !== undefined,

    get: async (workspace, name) =>
      (await findBuiltIn(workspace, name)) ?? configurationOf(await store.get(workspace, name)),

    async update({ workspace, name }, body, rights) {
      await checkChangeable(workspace, name)
      checkSameName(body.name, name)
      const warned = body.data === undefined ? {} : await check(body.data, workspace, rights)
      return { ...configurationOf(await store.update(workspace, name, body)), ...warned }
    },

    async remove(workspace, name) {
      await checkChangeable(workspace, name)
      return configurationOf(await store.remove(workspace, name))
    },
  }
}

function configurationOf(stored: StoredGuardrail): GuardrailConfiguration {
  return { ...maskUrlUsers(stored), entity_id: stored.id }
}

async function loadBuiltIn(): Promise<readonly GuardrailConfiguration[]> {
  const { builtInConfigurations } = await import("../built-in/built-in-configurations.ts")
  // They are part of the program, so they have no time of creation.
  const always = formatTimestamp(0)
  return builtInConfigurations().map((configuration) =>
    Object.freeze({
      ...configuration,
      id: `guardrail-built-in-${configuration.name}`,
      entity_id: `guardrail-built-in-${configuration.name}`,
      workspace: BUILT_IN_WORKSPACE,
      project: "",
      created_at: always,
      updated_at: always,
    }),
  )
}
