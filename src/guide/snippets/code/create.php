<?php
$txRef = 'order-' . uniqid(); // your own reference, new for every payment
$context = stream_context_create(['http' => [
    'method' => 'POST',
    'header' => [
        'Authorization: Bearer ' . getenv('FLORIN_KEY'),
        'Content-Type: application/json',
    ],
    'content' => json_encode([
        'tx_ref' => $txRef,
        'amount' => '1234.50',
        'currency' => 'GBP',
        'email' => 'ada@example.com',
        'first_name' => 'Ada',
        'last_name' => 'Lovelace',
        'return_url' => 'https://shop.example.com/thanks',
        'customization' => ['title' => 'Order 1001', 'description' => 'Two chairs'],
        'meta' => ['cart' => 7],
    ]),
    'ignore_errors' => true, // read the answer of a refusal too
]]);
$answer = json_decode(file_get_contents('https://pay.example.com/api/payment', false, $context), true);
if ($answer['status'] !== 'success') {
    throw new RuntimeException($answer['message']);
}
echo $txRef, ' ', $answer['data']['checkout_url'], "\n"; // send the customer there
