import { Type } from "@sinclair/typebox"

/** Up to 2^53 - 1, which JSON keeps exactly. */
const count = Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), Type.Null()]))
const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }))
const flag = Type.Optional(Type.Boolean())

/** The specification of a model that has no fileset, as a client gives it. Absent fields are null, false, 0 or empty in the record. */
export const GivenModelSpec = Type.Object(
  {
    checkpoint_model_name: text(512),
    family: text(255),
    context_size: count,
    num_layers: count,
    hidden_size: count,
    num_attention_heads: count,
    num_kv_heads: count,
    ffn_hidden_size: count,
    vocab_size: count,
    tied_embeddings: flag,
    gated_mlp: flag,
    precision: Type.Optional(Type.Union([Type.String({ maxLength: 64 }), Type.Null()])),
    is_chat: flag,
    is_embedding_model: flag,
    chat_template: Type.Optional(Type.Union([Type.String({ maxLength: 262_144 }), Type.Null()])),
    // Without the plugin, which the operator has to allow.
    tool_call_config: Type.Optional(
      Type.Union([
        Type.Object(
          {
            tool_call_parser: Type.Optional(Type.Union([Type.String({ maxLength: 255 }), Type.Null()])),
            auto_tool_choice: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
          },
          { additionalProperties: false },
        ),
        Type.Null(),
      ]),
    ),
    base_num_parameters: count,
    minimum_gpus_all_weights: count,
    minimum_gpus_lora: count,
    num_virtual_tokens: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  },
  {
    $id: "GivenModelSpec",
    additionalProperties: false,
    description: "Only without a fileset. Fields that it leaves out are null, false, 0 or empty.",
  },
)
