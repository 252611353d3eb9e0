"""Small models of transformers with random weights, each with example inputs: nothing is downloaded."""

import torch
import transformers
from torch import nn

SMALL = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
TEXT = {**SMALL, "vocab_size": 100}
IMAGE = {**SMALL, "image_size": 32, "patch_size": 8}


def _tokens() -> torch.Tensor:
    return torch.randint(3, 100, (2, 12))


def bert() -> nn.Module:
    return transformers.BertModel(transformers.BertConfig(**TEXT)).eval()


def bert_inputs() -> dict[str, torch.Tensor]:
    return {"input_ids": _tokens()}


def roberta() -> nn.Module:
    return transformers.RobertaForSequenceClassification(transformers.RobertaConfig(**TEXT)).eval()


def roberta_inputs() -> dict[str, torch.Tensor]:
    return {"input_ids": _tokens()}


def distilbert() -> nn.Module:
    config = transformers.DistilBertConfig(vocab_size=100, dim=32, n_layers=2, n_heads=2, hidden_dim=64)
    return transformers.DistilBertModel(config).eval()


def distilbert_inputs() -> dict[str, torch.Tensor]:
    return {"input_ids": _tokens()}


def gpt2() -> nn.Module:
    config = transformers.GPT2Config(vocab_size=100, n_embd=32, n_layer=2, n_head=2, n_positions=64)
    return transformers.GPT2LMHeadModel(config).eval()


def gpt2_inputs() -> dict[str, torch.Tensor]:
    return {"input_ids": _tokens()}


def llama() -> nn.Module:
    return transformers.LlamaForCausalLM(transformers.LlamaConfig(**TEXT, num_key_value_heads=1)).eval()


def llama_inputs() -> dict[str, torch.Tensor]:
    return {"input_ids": _tokens()}


def mistral() -> nn.Module:
    return transformers.MistralModel(transformers.MistralConfig(**TEXT, num_key_value_heads=1, head_dim=16)).eval()


def mistral_inputs() -> dict[str, torch.Tensor]:
    return {"input_ids": _tokens()}


def t5() -> nn.Module:
    config = transformers.T5Config(vocab_size=100, d_model=32, d_kv=16, d_ff=64, num_layers=2, num_heads=2)
    return transformers.T5Model(config).eval()


def t5_inputs() -> dict[str, torch.Tensor]:
    return {"input_ids": _tokens(), "decoder_input_ids": _tokens()}


def vit() -> nn.Module:
    return transformers.ViTForImageClassification(transformers.ViTConfig(**IMAGE)).eval()


def vit_inputs() -> dict[str, torch.Tensor]:
    return {"pixel_values": torch.rand(1, 3, 32, 32)}


def swin() -> nn.Module:
    config = transformers.SwinConfig(image_size=32, patch_size=4, embed_dim=16, depths=[1, 1], num_heads=[1, 2], window_size=4)
    return transformers.SwinModel(config).eval()


def swin_inputs() -> dict[str, torch.Tensor]:
    return {"pixel_values": torch.rand(1, 3, 32, 32)}


def clip() -> nn.Module:
    config = transformers.CLIPConfig(text_config={**TEXT, "eos_token_id": 2}, vision_config=IMAGE, projection_dim=16)
    return transformers.CLIPModel(config).eval()


def clip_inputs() -> dict[str, torch.Tensor]:
    return {"input_ids": _tokens(), "pixel_values": torch.rand(1, 3, 32, 32)}
