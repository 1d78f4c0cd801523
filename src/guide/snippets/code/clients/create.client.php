<?php
require 'vendor/autoload.php';

$psr17 = new GuzzleHttp\Psr7\HttpFactory();
$florin = new Florin\Florin(getenv('FLORIN_KEY'), 'https://pay.example.com', new GuzzleHttp\Client(), $psr17, $psr17);
$txRef = 'order-' . uniqid(); // your own reference, new for every payment
$checkoutUrl = $florin->payments->create([
    'tx_ref' => $txRef,
    'amount_minor' => 123450, // £1,234.50 in pence
    'currency' => 'GBP',
    'email' => 'ada@example.com',
    'first_name' => 'Ada',
    'last_name' => 'Lovelace',
    'return_url' => 'https://shop.example.com/thanks',
    'customization' => ['title' => 'Order 1001', 'description' => 'Two chairs'],
    'meta' => ['cart' => 7],
]);
echo "$txRef $checkoutUrl\n"; // send the customer there
