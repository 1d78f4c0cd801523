<?php

declare(strict_types=1);

// Composer's autoloader where it was run, else Debian's packages.
foreach ([__DIR__ . '/../vendor/autoload.php', '/usr/share/php/GuzzleHttp/autoload.php'] as $file) {
    if (is_file($file)) {
        require_once $file;
    }
}
spl_autoload_register(static function (string $class): void {
    $file = __DIR__ . '/../src/' . str_replace('\\', '/', substr($class, strlen('Florin\\'))) . '.php';
    if (str_starts_with($class, 'Florin\\') && is_file($file)) {
        require_once $file;
    }
});
