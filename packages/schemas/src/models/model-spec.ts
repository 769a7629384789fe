import { Type, type Static, type TSchema } from "@sinclair/typebox"
import { orNull } from "../records/field-types.ts"

const count = (description: string) => Type.Integer({ description })
const countOrNull = (description: string) => orNull<number>("integer", description)
const objectOrNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** How the weights of a checkpoint are quantized. */
export const Quantization = Type.Object(
  {
    method: Type.String({ examples: ["gptq", "awq", "bitsandbytes", "fp8", "compressed-tensors", "mxfp4", "gguf"] }),
    format: orNull<string>("string", "The layout in the words of the method: `nf4`, `pack-quantized`, `Q4_K_M`."),
    bits: orNull<number>(
      "number",
      "Bits of a weight; in GGUF including its share of the scales, such as 4.5 for Q4_K. Null if unknown.",
    ),
    group_size: countOrNull("Weights that share a scale; null if a whole row or tensor does."),
  },
  { $id: "Quantization" },
)
export type Quantization = Static<typeof Quantization>

export const MoeConfig = Type.Object(
  {
    num_experts: count("Routed experts of each expert layer."),
    num_experts_per_tok: countOrNull("Routed experts that process a token."),
    num_expert_layers: count("Layers with experts; the others are dense."),
    expert_ffn_size: countOrNull("Inner size of one routed expert."),
    num_shared_experts: count("Experts of each expert layer that process every token."),
  },
  { $id: "MoeConfig" },
)
export type MoeConfig = Static<typeof MoeConfig>

export const MambaConfig = Type.Object(
  {
    is_hybrid: Type.Boolean({ description: "Whether the model also has attention layers." }),
    num_mamba_layers: Type.Integer(),
    num_attention_layers: Type.Integer(),
    num_mlp_layers: count("Layers that consist only of an MLP."),
    state_size: countOrNull("Size of the state of each channel."),
    conv_kernel: countOrNull("Width of the convolution."),
  },
  { $id: "MambaConfig" },
)
export type MambaConfig = Static<typeof MambaConfig>

export const SlidingWindowConfig = Type.Object(
  { window_size: count("Tokens that a layer with a window can attend to.") },
  { $id: "SlidingWindowConfig" },
)
export type SlidingWindowConfig = Static<typeof SlidingWindowConfig>

/** Linear layers at the same location and of the same size in all blocks of the model. */
export const LinearLayer = Type.Object(
  {
    name: Type.String({
      description: "Module name, with `*` for numbers of layers and experts.",
      examples: ["model.layers.*.self_attn.q_proj"],
    }),
    in_features: Type.Integer(),
    out_features: Type.Integer(),
    count: Type.Integer({ description: "Number of modules that the name matches." }),
  },
  { $id: "LinearLayer" },
)
export type LinearLayer = Static<typeof LinearLayer>

export const ToolCallConfig = Type.Object(
  {
    tool_call_parser: orNull<string>("string", "Parser of the tool calls that the model writes."),
    tool_call_plugin: orNull<string>("string", "Fileset with the file of a custom parser."),
    auto_tool_choice: orNull<boolean>("boolean", "Whether the model may choose tools itself."),
  },
  { $id: "ToolCallConfig" },
)
export type ToolCallConfig = Static<typeof ToolCallConfig>

/** The specification of a checkpoint's model. Null means that the model does not have it or the checkpoint does not say it. */
export const ModelSpec = Type.Object(
  {
    checkpoint_model_name: Type.String({ description: "The architecture.", examples: ["LlamaForCausalLM"] }),
    family: Type.String({ examples: ["llama", "qwen3_moe", "deepseek_v3"] }),
    context_size: countOrNull("Maximum tokens of the context."),
    num_layers: countOrNull("Number of layers, without those for drafting (multi-token prediction)."),
    hidden_size: countOrNull("Width of the residual stream."),
    num_attention_heads: countOrNull("Null for a model without attention."),
    num_kv_heads: countOrNull("Heads of keys and values; fewer than `num_attention_heads` if heads share them."),
    ffn_hidden_size: countOrNull("Inner size of a dense MLP."),
    vocab_size: countOrNull("Rows of the embedding table."),
    tied_embeddings: Type.Boolean({ description: "Whether the output head is the embedding table." }),
    gated_mlp: Type.Boolean({ description: "Whether the MLP multiplies by a gate (SwiGLU and the like)." }),
    precision: orNull<string>("string", "Type of most weights: `bfloat16`, `float8_e4m3`, `int4`, `q4_k`."),
    quantization: objectOrNull(Quantization),
    moe_config: objectOrNull(MoeConfig),
    mamba_config: objectOrNull(MambaConfig),
    sliding_window_config: objectOrNull(SlidingWindowConfig),
    linear_layers: Type.Array(LinearLayer, { description: "Empty if no header of the weights can be read." }),
    is_chat: Type.Boolean({ description: "Whether there is a chat template." }),
    is_embedding_model: Type.Boolean(),
    embedding_reasons: Type.Array(Type.String(), { description: "Why the model is considered an embedding model." }),
    chat_template: orNull<string>("string", "Jinja chat template."),
    tool_call_config: objectOrNull(ToolCallConfig),
    base_num_parameters: countOrNull(
      "Number of parameters. Tied ones count once, and packed weights count by their unpacked shape.",
    ),
    active_num_parameters: Type.Optional(
      countOrNull(
        "Parameters that process a token: all but the routed experts that are not chosen. Null without experts, or if their number per token is unknown. Absent in older specifications.",
      ),
    ),
    draft_num_parameters: Type.Optional(
      countOrNull(
        "Parameters of layers that only draft tokens (multi-token prediction), which are not part of the number above. Null if no header of the weights can be read. Absent in older specifications.",
      ),
    ),
    parameters_estimated: Type.Boolean({
      description: "Whether the number is computed from the config instead of counted.",
    }),
    weights_bytes: count("Bytes of all stored tensors."),
    minimum_gpus_all_weights: countOrNull("GPUs of 80 GB for training all weights, a power of two."),
    minimum_gpus_lora: countOrNull("GPUs of 80 GB for training LoRA adapters of rank 32, a power of two."),
    num_virtual_tokens: count("Tokens of a trained prompt in the checkpoint."),
  },
  { $id: "ModelSpec" },
)
export type ModelSpec = Static<typeof ModelSpec>
