// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title The way back to L1
/// @notice Keeps the hash of every message to L1. The root of this contract's storage is part of each block's header,
/// and withdrawals are proven against it.
contract L2ToL1MessagePasser {
    event MessagePassed(
        uint256 indexed nonce,
        address indexed sender,
        address indexed target,
        uint256 value,
        uint256 gasLimit,
        bytes data,
        bytes32 withdrawalHash
    );
    event WithdrawerBalanceBurnt(uint256 indexed amount);

    /// @notice The version of the messages, kept in the first two bytes of a nonce.
    uint16 public constant MESSAGE_VERSION = 1;

    /// @dev Gas for a plain transfer of Ether on L1.
    uint256 private constant RECEIVE_GAS = 100_000;

    /// @notice Whether a message was sent. Slot 0, as the proofs on L1 expect.
    mapping(bytes32 withdrawalHash => bool) public sentMessages;

    uint240 private _nonce;

    /// @notice Sends Ether to the caller's own address on L1.
    receive() external payable {
        initiateWithdrawal(msg.sender, RECEIVE_GAS, "");
    }

    /// @notice Sends a message with the value that comes along to `target` on L1.
    function initiateWithdrawal(address target, uint256 gasLimit, bytes memory data) public payable {
        uint256 nonce = messageNonce();
        bytes32 withdrawalHash = keccak256(abi.encode(nonce, msg.sender, target, msg.value, gasLimit, data));
        sentMessages[withdrawalHash] = true;
        unchecked {
            _nonce++;
        }
        emit MessagePassed(nonce, msg.sender, target, msg.value, gasLimit, data, withdrawalHash);
    }

    /// @notice Takes the Ether of past withdrawals out of circulation here: it was paid out on L1.
    function burn() external {
        uint256 amount = address(this).balance;
        new Furnace{value: amount}();
        emit WithdrawerBalanceBurnt(amount);
    }

    /// @notice The nonce of the next message, with its version.
    function messageNonce() public view returns (uint256) {
        return uint256(MESSAGE_VERSION) << 240 | _nonce;
    }

    /// @notice The version of the interface that this contract follows.
    function version() external pure returns (string memory) {
        return "1.1.2";
    }
}

/// @title A contract that takes its Ether to the grave
/// @dev Destroyed in the transaction of its birth with itself as heir, so the value ceases to exist.
contract Furnace {
    constructor() payable {
        selfdestruct(payable(address(this)));
    }
}
