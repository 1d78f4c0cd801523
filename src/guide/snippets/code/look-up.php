<?php
$context = stream_context_create(['http' => [
    'header' => 'Authorization: Bearer ' . getenv('FLORIN_KEY'),
    'ignore_errors' => true,
]]);
$url = 'https://pay.example.com/api/transaction/' . rawurlencode(getenv('TX_REF'));
$answer = json_decode(file_get_contents($url, false, $context), true);
if ($answer['status'] !== 'success') {
    throw new RuntimeException($answer['message']); // the look-up failed
}
$data = $answer['data'];
echo "$data[status] $data[amount_minor] $data[currency]\n"; // whether money moved, and how many pence
