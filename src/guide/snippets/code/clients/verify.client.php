<?php
require_once 'vendor/autoload.php';

/** $rawBody: file_get_contents('php://input'). $headers: getallheaders(). Null if the call can't be trusted. */
function read_notification(string $rawBody, array $headers, string $secret): ?Florin\Event
{
    try {
        return Florin\Webhook::verify($rawBody, $headers, $secret);
    } catch (Florin\Exception\SignatureException $error) {
        return null; // $error says why
    }
}
