<?php
/** $fields: what stands in the form, by name, as text. Gives the value of form_signature. */
function sign_form(array $fields, string $secret): string
{
    $names = ['secret_key', 'tx_ref', 'amount', 'currency', 'callback_url', 'return_url'];
    array_push($names, 'title', 'description', 'logo', 'meta', 'project');
    $items = ($fields['items'] ?? '') === '' ? [] : ['items'];
    $also = array_filter(explode(' ', $fields['form_signed'] ?? ''));
    $lines = ['florin-form-v1'];
    foreach (array_merge($names, $items, ['form_signed'], $also) as $name) {
        $value = $fields[$name] ?? '';
        $lines[] = $name . '=' . strtr($value, ['\\' => '\\\\', "\r\n" => '\n', "\r" => '\n', "\n" => '\n']);
    }
    return hash_hmac('sha256', implode("\n", $lines), $secret);
}

$fields = [
    'secret_key' => getenv('FLORIN_FORM_KEY'),
    'tx_ref' => 'order-' . uniqid(),
    'amount' => '20.00',
    'currency' => 'GBP',
    'return_url' => 'https://shop.example.com/thanks',
    'title' => 'Order 1001',
    'meta' => json_encode(['cart' => 7]),
    'email' => 'ada@example.com', // not signed: the customer may correct them
    'first_name' => 'Ada',
];
$fields['form_signature'] = sign_form($fields, getenv('FLORIN_FORM_SECRET'));
?>
<form method="post" action="https://pay.example.com/ext_transfer">
<?php foreach ($fields as $name => $value): ?>
  <input type="hidden" name="<?= $name ?>" value="<?= htmlspecialchars($value) ?>" />
<?php endforeach ?>
  <button>Pay</button>
</form>
