<?php
$context = stream_context_create(['http' => [
    'method' => 'POST',
    'header' => [
        'Authorization: Bearer ' . getenv('FLORIN_KEY'),
        'Content-Type: application/json',
    ],
    'content' => json_encode([
        'tx_ref' => 'order-1001',
        'amount' => '20.00',
        'currency' => 'GBP',
        'email' => 'ada@example.com',
        'first_name' => 'Ada',
        'last_name' => 'Lovelace',
        'return_url' => 'https://shop.example.com/thanks',
    ]),
    'ignore_errors' => true, // read the answer of a refusal too
]]);
$answer = json_decode(file_get_contents('https://pay.example.com/api/payment', false, $context), true);
if ($answer['status'] !== 'success') {
    throw new RuntimeException($answer['message']);
}
echo $answer['data']['checkout_url'], "\n"; // send the customer there
