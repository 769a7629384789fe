import { built, type Requirement } from "./requirement.ts"

/** Models: their records, the analysis of their checkpoints, and how they call tools. */
export const CONTENTS_MODELS: readonly Requirement[] = [
  ...built("contents §2", {
    "models.create": "POST …/models makes a model of a fileset, answers 201, and has its checkpoint analysed.",
    "models.list": "Models are listed in pages, sorted by name or age.",
    "models.update": "PATCH changes description, project and custom fields of a model, and nothing else.",
    "models.delete.answers-record": "DELETE on a model answers the removed record; its fileset stays.",
    "models.analyze": "POST …/{name}/analyze runs the analysis again.",
    "models.analysis.thread": "A checkpoint is described on a thread of its own, whatever its size.",
    "models.analysis.headers-only":
      "Of weights the headers alone are read, by range requests: a remote checkpoint costs kilobytes.",
    "models.analysis.alternates": "The folder `alternates/hf` is preferred where it is there.",
    "models.analysis.text-config": "`text_config` is used where there is one.",
    "models.analysis.not-a-checkpoint": "What is not a checkpoint is told apart, with what is missing.",
    "models.spec.fields": "A specification has every field of the contract, and no other.",
    "models.spec.precision": "`precision` comes from the tensors, else from the config.",
    "models.spec.parameters": "Parameters are counted exactly, from the shapes of the tensors.",
    "models.spec.parameters-estimated":
      "Parameters are estimated from the config where no header can be read, and marked as such.",
    "models.spec.embedding-reasons": "What is taken for an embedding model has its reasons.",
    "models.tools.merge":
      "Tool calling comes from the fileset's metadata key by key, then the checkpoint, then the earlier specification.",
    "models.tools.plugins-dropped": "Plugins are dropped with a warning unless the operator allows them.",
    "models.tools.plugin-exists":
      "Where plugins are allowed, `tool_call_plugin` names an existing fileset with a plugin file, else 422.",
    "models.tools.template": "A chat template has to parse and render a conversation, else 422 with the line.",
  }),
  ...built("details: Contents", {
    "models.record": "A model's record has spec, analysis and what other records have.",
    "models.wait": "Creation and analysis are waited for up to `wait` seconds, then the answer says `running`.",
    "models.analyze.failed": "A failed analysis keeps the record and says why.",
  }),
]
