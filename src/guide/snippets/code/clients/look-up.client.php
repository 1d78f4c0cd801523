<?php
require 'vendor/autoload.php';

$psr17 = new GuzzleHttp\Psr7\HttpFactory();
$florin = new Florin\Florin(getenv('FLORIN_KEY'), 'https://pay.example.com', new GuzzleHttp\Client(), $psr17, $psr17);
$payment = $florin->payments->get(getenv('TX_REF'));
echo "$payment->status $payment->amountMinor $payment->currency\n"; // whether money moved, and how many pence
