def load_attention(model_dir, text, text_pair=None):
    from transformers import AutoModel, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(model_dir)
    model = AutoModel.from_pretrained(model_dir, output_attentions=True)
    inputs = tokenizer(text, text_pair, return_tensors="pt", truncation=True)
    with torch.no_grad():
        outputs = model(**inputs)
    tokens = tokenizer.convert_ids_to_tokens(inputs["input_ids"][0])
    attention = torch.stack(outputs.attentions)[:, 0]
    return tokens, attention
